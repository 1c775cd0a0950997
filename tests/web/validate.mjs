// Runs the official glTF validator on files and fails on any error or warning.
//
//     node validate.mjs FILE...
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createRequire } from 'node:module';

const validator = createRequire(import.meta.url)('gltf-validator');

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
    // What a baked file needs is inside it.
    externalResourceFunction: (uri) => Promise.reject(new Error(`${uri} is outside the file`)),
  });
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  console.log(`${basename(file)}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} notes`);
  for (const { code, message, severity, pointer } of messages) {
    if (severity <= 1) console.log(`  ${severity === 0 ? 'error' : 'warning'} ${code} at ${pointer}: ${message}`);
  }
  if (numErrors + numWarnings > 0) ++bad;
}
process.exit(bad > 0 ? 1 : 0);
