import { inspect } from 'node:util';

/** A value that cannot be printed by accident. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one who uses it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

/** Variable → value. */
export type SecretValues = ReadonlyMap<string, Secret>;

const hidden = '[secret]';
