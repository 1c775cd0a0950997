// Makes one plain GLB from any common file: .glb, .vrm, .gltf with its .bin and images, with Draco or meshopt inside.
// Fascia and three.js then read the same bytes and number vertices the same way.

const draco = 'KHR_draco_mesh_compression';
const meshopt = 'EXT_meshopt_compression';
const component_bytes = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const component_counts = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

/**
 * bytes: the file; options.name for sentences; options.files: Map of the files beside it (name to bytes);
 * options.meshopt: () => Promise of three's MeshoptDecoder; options.draco: () => Promise of Draco's decoder module.
 */
export async function unpackGltf(bytes, { name = 'the file', files = new Map(), ...decoders } = {}) {
  const { json, binary } = parse(bytes, name);
  const buffers = (json.buffers ?? []).map((buffer, i) => buffer_bytes(buffer, i, binary, files, name));
  const used = new Set([...(json.extensionsUsed ?? []), ...(json.extensionsRequired ?? [])]);
  const external = [...(json.buffers ?? []), ...(json.images ?? [])].some((thing) => thing.uri !== undefined);
  const whole_glb = binary !== null || (json.buffers ?? []).length === 0;
  if (whole_glb && !external && !used.has(draco) && !used.has(meshopt)) return bytes;

  const plain = { json: structuredClone(json), views: [], name };
  plain.views = (json.bufferViews ?? []).map((view, i) => view_bytes(view, i, buffers, used.has(meshopt), name));
  if (used.has(meshopt)) await unpack_meshopt(plain, buffers, decoders.meshopt);
  if (used.has(draco)) await unpack_draco(plain, decoders.draco);
  take_images(plain, files);
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    const left = (plain.json[list] ?? []).filter((e) => e !== draco && e !== meshopt);
    if (left.length > 0) plain.json[list] = left;
    else delete plain.json[list];
  }
  return write_glb(plain.json, plain.views);
}

function parse(bytes, name) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (part) => {
    try {
      return JSON.parse(new TextDecoder().decode(part.slice()));
    } catch {
      throw new Error(`${name} is not a glTF file: its JSON cannot be read. Export it again.`);
    }
  };
  if (bytes.length < 12 || data.getUint32(0, true) !== 0x46546c67) {
    if (bytes.length > 0 && bytes.slice(0, 64).some((b) => b === 0x7b)) return { json: checked(text(bytes), name), binary: null };
    throw new Error(`${name} is not a glTF file. Drop a .glb, .gltf with its .bin, .vrm or .bvh.`);
  }
  let json = null, binary = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = data.getUint32(at, true), kind = data.getUint32(at + 4, true);
    if (at + 8 + size > bytes.length) throw new Error(`${name} is cut off: it ends before its data does. Copy it again.`);
    const part = bytes.subarray(at + 8, at + 8 + size);
    if (kind === 0x4e4f534a) json = text(part);
    else if (kind === 0x004e4942) binary ??= part;
    at += 8 + size + ((4 - (size % 4)) % 4);
  }
  if (json === null) throw new Error(`${name} has no JSON inside. Export it again.`);
  return { json: checked(json, name), binary };
}

function checked(json, name) {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || json.asset === undefined)
    throw new Error(`${name} is JSON, but not glTF. Drop a .glb, .gltf with its .bin, .vrm, .bvh or a flesh file.`);
  return json;
}

function buffer_bytes(buffer, index, binary, files, name) {
  if (buffer.uri === undefined) {
    // No URI: the binary chunk of the GLB, or an empty placeholder for what meshopt will decode.
    return index === 0 && binary !== null ? binary : new Uint8Array(0);
  }
  return uri_bytes(buffer.uri, files, name);
}

function uri_bytes(uri, files, name) {
  const data = /^data:[^,]*?(;base64)?,/.exec(uri);
  if (data) {
    const body = uri.slice(data[0].length);
    const text = data[1] ? atob(body) : decodeURIComponent(body);
    return Uint8Array.from(text, (c) => c.charCodeAt(0));
  }
  let wanted = uri;
  try {
    wanted = decodeURIComponent(uri);
  } catch {
    // Not valid URI encoding: use it unchanged.
  }
  const last = wanted.split('/').pop();
  const found = files.get(wanted) ?? files.get(last);
  if (!found) throw new Error(`${name} needs the file ${last}. Drop both together.`);
  return found;
}

function view_bytes(view, index, buffers, lenient, name) {
  const buffer = buffers[view.buffer];
  const from = view.byteOffset ?? 0;
  if (!buffer || from + view.byteLength > buffer.length) {
    if (lenient && view.extensions?.[meshopt]) return new Uint8Array(0);
    throw new Error(`${name}: bufferView ${index} reaches past its data. Export the file again.`);
  }
  return buffer.subarray(from, from + view.byteLength);
}

async function unpack_meshopt(plain, buffers, decoder) {
  if (!decoder) throw new Error(`${plain.name} is compressed by ${meshopt}; give unpackGltf a meshopt decoder.`);
  const { ready, decodeGltfBuffer } = await ready_decoder(decoder);
  await ready;
  plain.json.bufferViews.forEach((view, i) => {
    const packed = view.extensions?.[meshopt];
    if (!packed) return;
    const source = buffers[packed.buffer]?.subarray(packed.byteOffset ?? 0, (packed.byteOffset ?? 0) + packed.byteLength);
    const out = new Uint8Array(packed.count * packed.byteStride);
    try {
      decodeGltfBuffer(out, packed.count, packed.byteStride, source, packed.mode, packed.filter);
    } catch {
      throw new Error(`${plain.name}: bufferView ${i} cannot be unpacked; the file is damaged.`);
    }
    plain.views[i] = out;
    delete view.extensions[meshopt];
    if (Object.keys(view.extensions).length === 0) delete view.extensions;
    if (packed.mode === 'ATTRIBUTES') view.byteStride = packed.byteStride;
  });
}

async function ready_decoder(decoder) {
  const made = await decoder();
  return { ready: made.ready, decodeGltfBuffer: made.decodeGltfBuffer.bind(made) };
}

async function unpack_draco(plain, decoder) {
  if (!decoder) throw new Error(`${plain.name} is compressed by Draco; give unpackGltf a Draco decoder.`);
  const module = await decoder();
  (plain.json.meshes ?? []).forEach((mesh, m) => mesh.primitives.forEach((primitive, p) => {
    const packed = primitive.extensions?.[draco];
    if (!packed) return;
    const what = `${plain.name}: mesh ${m} primitive ${p}`;
    unpack_primitive(plain, primitive, packed, module, what);
    delete primitive.extensions[draco];
    if (Object.keys(primitive.extensions).length === 0) delete primitive.extensions;
  }));
}

function unpack_primitive(plain, primitive, packed, module, what) {
  const decoder = new module.Decoder(), buffer = new module.DecoderBuffer(), mesh = new module.Mesh();
  try {
    const source = plain.views[packed.bufferView];
    buffer.Init(new Int8Array(source.slice().buffer), source.length);
    const status = decoder.DecodeBufferToMesh(buffer, mesh);
    if (!status.ok() || mesh.ptr === 0) throw new Error(`${what} cannot be unpacked; its Draco data is damaged.`);
    for (const [semantic, id] of Object.entries(packed.attributes))
      store_attribute(plain, primitive.attributes[semantic], decoder, mesh, id, module, `${what} ${semantic}`);
    store_indices(plain, primitive, decoder, mesh, module);
  } finally {
    for (const thing of [mesh, buffer, decoder]) module.destroy(thing);
  }
}

function store_attribute(plain, accessor_index, decoder, mesh, id, module, what) {
  const accessor = plain.json.accessors[accessor_index];
  const attribute = decoder.GetAttributeByUniqueId(mesh, id);
  if (!accessor || attribute.ptr === 0) throw new Error(`${what} is missing in its Draco data; export the file again.`);
  const kinds = {
    5120: module.DT_INT8, 5121: module.DT_UINT8, 5122: module.DT_INT16, 5123: module.DT_UINT16, 5125: module.DT_UINT32,
    5126: module.DT_FLOAT32,
  };
  const components = component_counts[accessor.type], values = mesh.num_points() * components;
  const size = values * component_bytes[accessor.componentType];
  const pointer = module._malloc(size);
  const ok = decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, kinds[accessor.componentType], size, pointer);
  const bytes = module.HEAPU8.slice(pointer, pointer + size);
  module._free(pointer);
  if (!ok) throw new Error(`${what} cannot be unpacked; its Draco data is damaged.`);
  accessor.count = mesh.num_points();
  point_at(plain, accessor, bytes);
  // In vertex data each element starts on a multiple of four.
  const stride = components * component_bytes[accessor.componentType];
  if (stride % 4 !== 0) widen(plain, accessor, stride);
}

function widen(plain, accessor, stride) {
  const to = stride + 4 - (stride % 4), old = plain.views[accessor.bufferView];
  const bytes = new Uint8Array(accessor.count * to);
  for (let i = 0; i < accessor.count; i++) bytes.set(old.subarray(i * stride, (i + 1) * stride), i * to);
  plain.views[accessor.bufferView] = bytes;
  plain.json.bufferViews[accessor.bufferView].byteStride = to;
}

function store_indices(plain, primitive, decoder, mesh, module) {
  const count = mesh.num_faces() * 3, size = count * 4;
  const pointer = module._malloc(size);
  decoder.GetTrianglesUInt32Array(mesh, size, pointer);
  const bytes = module.HEAPU8.slice(pointer, pointer + size);
  module._free(pointer);
  if (primitive.indices === undefined) primitive.indices = plain.json.accessors.push({ type: 'SCALAR' }) - 1;
  const accessor = plain.json.accessors[primitive.indices];
  accessor.componentType = 5125;
  accessor.count = count;
  delete accessor.min;
  delete accessor.max;
  primitive.mode = 4;
  point_at(plain, accessor, bytes);
}

function point_at(plain, accessor, bytes) {
  accessor.bufferView = plain.views.push(bytes) - 1;
  plain.json.bufferViews.push({ buffer: 0 });
  delete accessor.byteOffset;
  delete accessor.sparse;
}

function take_images(plain, files) {
  for (const image of plain.json.images ?? []) {
    if (image.uri === undefined) continue;
    const declared = /^data:([^;,]+)/.exec(image.uri)?.[1];
    let bytes;
    try {
      bytes = uri_bytes(image.uri, files, plain.name);
    } catch {
      // An image that was not dropped with the file: one grey pixel, so that the shape can still be seen.
      bytes = grey_png();
    }
    image.mimeType = declared ?? (bytes[0] === 0xff ? 'image/jpeg' : bytes[0] === 0x52 ? 'image/webp' : 'image/png');
    delete image.uri;
    plain.json.bufferViews ??= [];
    image.bufferView = plain.views.push(bytes) - 1;
    plain.json.bufferViews.push({ buffer: 0 });
  }
}

function grey_png() {
  const text = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGM4AgAAxgDFH/KanwAAAABJRU5ErkJggg==';
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

function write_glb(json, views) {
  let size = 0;
  views.forEach((bytes, i) => {
    const view = json.bufferViews[i];
    view.buffer = 0;
    view.byteOffset = size;
    view.byteLength = bytes.length;
    size += bytes.length + ((4 - (bytes.length % 4)) % 4);
  });
  json.buffers = [{ byteLength: size }];
  const text = new TextEncoder().encode(JSON.stringify(json));
  const text_size = text.length + ((4 - (text.length % 4)) % 4);
  const out = new Uint8Array(28 + text_size + size), data = new DataView(out.buffer);
  [0x46546c67, 2, out.length, text_size, 0x4e4f534a].forEach((word, i) => data.setUint32(4 * i, word, true));
  out.fill(0x20, 20, 20 + text_size);
  out.set(text, 20);
  data.setUint32(20 + text_size, size, true);
  data.setUint32(24 + text_size, 0x004e4942, true);
  views.forEach((bytes, i) => out.set(bytes, 28 + text_size + json.bufferViews[i].byteOffset));
  return out;
}
