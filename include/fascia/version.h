/* The version of these headers, for C and C++. The library's own: fascia_version in fascia_c.h. */
#ifndef FASCIA_VERSION_H
#define FASCIA_VERSION_H

#define FASCIA_VERSION_MAJOR 0
#define FASCIA_VERSION_MINOR 1
#define FASCIA_VERSION_PATCH 0

/* One number that grows: #if FASCIA_VERSION >= 200 is 0.2.0 or later. */
#define FASCIA_VERSION (FASCIA_VERSION_MAJOR * 10000 + FASCIA_VERSION_MINOR * 100 + FASCIA_VERSION_PATCH)

#define FASCIA_TEXT_OF(number) #number
#define FASCIA_TEXT(number) FASCIA_TEXT_OF(number)
/* "0.1.0" */
#define FASCIA_VERSION_STRING \
    FASCIA_TEXT(FASCIA_VERSION_MAJOR) "." FASCIA_TEXT(FASCIA_VERSION_MINOR) "." FASCIA_TEXT(FASCIA_VERSION_PATCH)

#endif
