// Any method's rig, with its surface carried by its points in another way (BindInputs::embed).
#pragma once

#include "base/bytes.h"
#include "fascia/method.h"
#include "methods/shared/method.h"

namespace fascia {

/// Says in a sentence why this method cannot take these options.
Status check_embed_options(const Method& method, const EmbedOptions& options);

/// `inner` with its surface carried as `options` ask. Clothes and the skinned surface stay as the method makes them.
Result<RigPtr> embedded(RigPtr inner, const Method& method, const EmbedOptions& options);

void write_embed_options(const EmbedOptions& options, ByteWriter& out);
EmbedOptions read_embed_options(ByteReader& in);

}  // namespace fascia
