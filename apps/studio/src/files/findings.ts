// What a file asks for that the page cannot show, found without the core.

/** Extensions that the page, three.js or the core reads; VRM's are about expressions and springs, which are replaced. */
const known = /^(KHR_|VRM|EXT_(texture_webp|texture_avif|meshopt_compression|mesh_gpu_instancing)$|FASCIA_)/;

function json_of(glb: Uint8Array): { extensionsUsed?: unknown } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const size = view.getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size)));
}

export function extension_findings(glb: Uint8Array): string[] {
  try {
    const used = json_of(glb).extensionsUsed;
    const unknown = (Array.isArray(used) ? used : []).filter((name) => typeof name === 'string' && !known.test(name));
    return unknown.map((name) => `The extension ${name} is not known: what it adds is not shown.`);
  } catch {
    return [];
  }
}

export const texture_finding = (address: string) => {
  const name = /^(blob|data):/.test(address) ? 'A texture inside the file' : `The texture ${address.split('/').pop()}`;
  return `${name} could not be read: its material is shown without it.`;
};
