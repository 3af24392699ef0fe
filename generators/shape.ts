/** Whether a value that somebody else wrote is what it should be. What is not asked for, nobody reads as anything but text for a person. */
export type ShapeTest = (value: unknown) => boolean;

/** Characters that a text of somebody else may have; nobody reads more. */
export const longest = 64 * 1024 * 1024;
export const text: ShapeTest = (value) => typeof value === 'string' && value.length <= longest;
/** A name as definitions give them. It stands in commands that are shown for typing, and on pages: nothing obeys it. */
export const nameText: ShapeTest = (value) => typeof value === 'string' && /^\w[\w.-]{0,252}$/.test(value);
export const number: ShapeTest = (value) => typeof value === 'number';
export const flag: ShapeTest = (value) => typeof value === 'boolean';
export const nullable =
  (shape: ShapeTest): ShapeTest =>
  (value) =>
    value === null || shape(value);
export const optional =
  (shape: ShapeTest): ShapeTest =>
  (value) =>
    value === undefined || shape(value);
export const list =
  (shape: ShapeTest): ShapeTest =>
  (value) =>
    Array.isArray(value) && value.every(shape);
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const dict =
  (shape: ShapeTest): ShapeTest =>
  (value) =>
    isMap(value) && Object.values(value).every(shape);
export const dictOfNames =
  (shape: ShapeTest): ShapeTest =>
  (value) =>
    dict(shape)(value) && Object.keys(value as object).every(nameText);
export const map =
  (keys: Readonly<Record<string, ShapeTest>>): ShapeTest =>
  (value) =>
    isMap(value) &&
    Object.entries(keys).every(([key, shape]) => shape(Object.hasOwn(value, key) ? value[key] : undefined));
export const word =
  (...words: readonly string[]): ShapeTest =>
  (value) =>
    words.includes(value as string);
