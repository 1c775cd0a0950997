/* What a shared library shows: everything between these two lines in a public header, and nothing else. */
#ifndef FASCIA_API_H
#define FASCIA_API_H

#if defined(__GNUC__) && !defined(_WIN32)
#define FASCIA_API_BEGIN _Pragma("GCC visibility push(default)")
#define FASCIA_API_END _Pragma("GCC visibility pop")
/* For a type that a public header names and only the library defines. */
#define FASCIA_INSIDE __attribute__((visibility("hidden")))
#else
#define FASCIA_API_BEGIN
#define FASCIA_API_END
#define FASCIA_INSIDE
#endif

#endif
