// A summary as a Word document: the smallest there is, packed by hand, so that nothing has to be loaded for it.

const TYPES = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

const escaped = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, " ")
  .replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[sign]));
const paragraph = (text, bold = false) => `<w:p><w:r>${bold ? '<w:rPr><w:b/><w:sz w:val="32"/></w:rPr>' : ""}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

/** The bytes of a document with a title and paragraphs. */
export function docx(title, paragraphs) {
  const body = [paragraph(title, true), ...paragraphs.map((text) => paragraph(text))].join("");
  const content = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return zip([["[Content_Types].xml", TYPES], ["_rels/.rels", RELATIONS], ["word/document.xml", content]]);
}

/** Files in a ZIP archive, as they are. */
function zip(files) {
  const parts = [];
  const entries = [];
  let offset = 0;
  for (const [name, text] of files) {
    const [path, data] = [name, text].map((one) => new TextEncoder().encode(one));
    const sums = [crc32(data), data.length, data.length];
    const common = [20, 0, 0, 0, 0x21]; // version, flags, method, time, date
    const local = record([[0x04034b50, 4], ...common.map((one) => [one, 2]), ...sums.map((one) => [one, 4]), [path.length, 2], [0, 2]]);
    entries.push(record([[0x02014b50, 4], [20, 2], ...common.map((one) => [one, 2]), ...sums.map((one) => [one, 4]),
      [path.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), path);
    parts.push(local, path, data);
    offset += local.length + path.length + data.length;
  }
  const size = entries.reduce((sum, one) => sum + one.length, 0);
  const end = record([[0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]]);
  return new Blob([...parts, ...entries, end]);
}

/** Numbers as bytes, the lowest first. */
const record = (fields) => Uint8Array.from(fields.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 255)));

function crc32(data) {
  let sum = ~0;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}
