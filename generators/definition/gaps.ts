/** A value with gaps where something is wrong, so that the rest can still be checked. */
export type Gaps<Value> = Value extends readonly (infer Item)[]
  ? readonly (Gaps<Item> | undefined)[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Gaps<Value[Key]> | undefined }
    : Value;
