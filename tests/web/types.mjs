// Writes the page's types of the analyzer's reports, www/types/reports.d.ts, from their JSON schema, crate/export/schema/page.json.
// With --check it fails where the file is another one.

import fs from 'node:fs';
import {compile} from 'json-schema-to-typescript';

const schema = new URL('../../crate/export/schema/page.json', import.meta.url);
const types = new URL('../../www/types/reports.d.ts', import.meta.url);
const head = '// Made from crate/export/schema/page.json by `cargo xtask types`: the analyzer tells the page so. Not to be edited.\n';

/**
 * Integers and numbers are one type in JavaScript, and nothing is said of values that a schema does not name.
 * @param {any} part of a schema
 */
function plain(part) {
  if (Array.isArray(part)) return part.forEach(plain);
  if (!part || typeof part !== 'object') return;
  // A property may have such a name, too.
  if (typeof part.format === 'string') delete part.format;
  if (typeof part.minimum === 'number') delete part.minimum;
  if (typeof part.maximum === 'number') delete part.maximum;
  if (part.type === 'object' && part.properties) {
    part.additionalProperties = false;
    // A title would become a name beside the definition's.
    Object.values(part.properties).forEach((property) => delete property.title);
  }
  if (typeof part.$ref === 'string' && Object.keys(part).length > 1) {
    // Beside a reference, words about it would make a type of its own.
    part.allOf = [{$ref: part.$ref}];
    delete part.$ref;
  }
  Object.values(part).forEach(plain);
}

const wanted = JSON.parse(fs.readFileSync(schema, 'utf8'));
plain(wanted);
const written = await compile(wanted, 'Reports', {
  bannerComment: '',
  additionalProperties: false,
  unreachableDefinitions: true,
  style: {singleQuote: true, bracketSpacing: false, printWidth: 140},
});
// It says of each type where it is from.
const made =
  head +
  written
    .replaceAll(/ \*\n \* This interface was referenced by [^*]*\n \* via the `definition` "\w+"\.\n/g, '')
    .replaceAll(/\/\*\*\n \* This interface was referenced by [^*]*\n \* via the `definition` "\w+"\.\n \*\/\n/g, '');
if (process.argv.includes('--check')) {
  const found = fs.existsSync(types) ? fs.readFileSync(types, 'utf8') : '';
  if (found !== made) {
    console.error('www/types/reports.d.ts is not what crate/export/schema/page.json says: cargo xtask types writes it');
    process.exit(1);
  }
} else {
  fs.writeFileSync(types, made);
}
