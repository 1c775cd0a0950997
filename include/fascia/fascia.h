// Fascia: flesh for skeleton-driven characters. Includes everything; each header stands on its own.
#pragma once

#include "fascia/arrays.h"
#include "fascia/bundled.h"
#include "fascia/character.h"
#include "fascia/fields.h"
#include "fascia/io.h"
#include "fascia/live.h"
#include "fascia/make_character.h"
#include "fascia/math.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/picture.h"
#include "fascia/pose.h"
#include "fascia/result.h"
#include "fascia/rig_mesh.h"
#include "fascia/settings.h"
#include "fascia/subdivide.h"
#include "fascia/vertex_buffers.h"
#include "fascia/weights.h"

#define FASCIA_VERSION "0.1.0"
