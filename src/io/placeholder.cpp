// first file of this folder is on its way
