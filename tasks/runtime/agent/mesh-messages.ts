/** Secrets of one run as they travel over a mesh: readable on one node alone. Base64. */
export interface SealedForNode {
  /** A fresh AES-256 key, encrypted to the node's RSA key with OAEP and SHA-256. */
  readonly key: string;
  readonly nonce: string;
  /** AES-256-GCM with its tag at the end; the token of the run is authenticated with it. */
  readonly sealed: string;
}

/** What only nodes of a mesh are asked. */
export interface MeshRequests {
  /** A bundle inside the request: over a mesh no file travels beside it. Base64 of a packed tar archive. */
  readonly receive: { readonly cluster: string; readonly digest: string; readonly archive: string };
  readonly 'sealing-key': object;
  /** Each with its `operation`; answered in their order. */
  readonly several: { readonly requests: readonly object[] };
  readonly fitness: object;
  /** Of the control node: which nodes answer it. */
  readonly mesh: { readonly nodes: readonly string[] };
  /** Of the control node: releases units of work that ended longer ago than `seconds`. */
  readonly sweep: { readonly seconds: number };
}

export interface MeshAnswers {
  readonly receive: { readonly there: boolean; readonly wasThere: boolean };
  /** PEM. */
  readonly 'sealing-key': { readonly key: string };
  /** What is said to each: that it is done, or why not. */
  readonly several: { readonly answers: readonly object[] };
  readonly fitness: Fitness;
  /** `version` of Receptor; answers in milliseconds, or why there is none. */
  readonly mesh: {
    readonly version: string;
    readonly answers: Readonly<Record<string, number | string>>;
  };
  readonly sweep: { readonly released: readonly string[]; readonly left: number };
}

/** What an execution node has. */
export interface Fitness {
  /** Empty: the package does not say. */
  readonly 'ansible-core': string;
  readonly 'ansible-runner': string;
  readonly runner: boolean;
  readonly receptor: string;
  readonly python: string;
  /** Seconds since 1970. */
  readonly clock: number;
  /** When its certificate ends; seconds since 1970. */
  readonly certificate: number;
  /** Bytes. */
  readonly free: number;
  /** Name to version. */
  readonly collections: Readonly<Record<string, string>>;
}
