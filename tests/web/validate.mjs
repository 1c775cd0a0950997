// Runs the official glTF validator on files; fails on any error, and on any warning that `accepted` does not explain.
//
//     node validate.mjs FILE...
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createRequire } from 'node:module';

const validator = createRequire(import.meta.url)('gltf-validator');

const accepted = [
  // Flaws inside an image that we only pass on are the image's own.
  (code) => code.startsWith('IMAGE_'),
  // A file with a normal map and without tangents gets none from us: viewers derive them from the normals and texture
  // coordinates of each frame.
  (code) => code === 'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE',
];

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node validate.mjs FILE...');
  process.exit(2);
}

let bad = 0;
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: basename(file),
    maxIssues: 100,
    // Everything a baked file needs is inside it.
    externalResourceFunction: (uri) => Promise.reject(new Error(`${uri} is outside the file`)),
  });
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  console.log(`${basename(file)}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} notes`);
  const serious = messages.filter(({ severity }) => severity <= 1);
  for (const { code, message, severity, pointer } of serious) {
    console.log(`  ${severity === 0 ? 'error' : 'warning'} ${code} at ${pointer}: ${message}`);
  }
  if (numErrors > 0 || serious.some(({ code }) => !accepted.some((accepts) => accepts(code)))) ++bad;
}
process.exit(bad > 0 ? 1 : 0);
