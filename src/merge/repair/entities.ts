/** The HTML entities that web pages and chats write for characters of code. */
const characters = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['#39', "'"],
  ['#x27', "'"],
  ['#34', '"'],
  ['#x22', '"'],
  ['#47', '/'],
  ['#x2f', '/'],
  ['#96', '`'],
  ['#x60', '`'],
  ['#61', '='],
  ['#x3d', '='],
  ['#60', '<'],
  ['#x3c', '<'],
  ['#62', '>'],
  ['#x3e', '>'],
  ['#38', '&'],
  ['#x26', '&'],
  ['#123', '{'],
  ['#125', '}'],
  ['#160', ' '],
]);

/** An entity; only for methods that ignore the position of the last match. */
export const entity = /&(?:lt|gt|amp|quot|apos|nbsp|#\d{2,3}|#x[\da-f]{2});/gi;

/** Undoes entities once: `&amp;lt;` becomes `&lt;`. */
export const withoutEntities = (text: string): string =>
  text.replace(entity, all => characters.get(all.slice(1, -1).toLowerCase()) ?? all);

export const hasEntity = (text: string): boolean => text.search(entity) >= 0;
