/** What holds for drills: faults that are made on purpose, measured and reverted. */
export interface Drills {
  /** Seconds that clients may be without an answer, or a writer may wait; 0: no limit. */
  readonly limits: Readonly<Record<'vip' | 'control-plane' | 'worker' | 'storage', number>>;
  /** Seconds after which a host takes a fault back by itself. */
  readonly atMost: number;
  /** When drills may begin, in UTC; empty texts: at any time. */
  readonly window: {
    /** `HH:MM`. */
    readonly from: string;
    /** `HH:MM`; before `from`: on the next day. */
    readonly to: string;
    /** Days on which it opens, 0 for Monday; empty: every day. */
    readonly days: readonly number[];
  };
}
