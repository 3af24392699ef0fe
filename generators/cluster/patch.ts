/** What is brought to the operating system of every machine. */
export interface Patch {
  /** Package → its exact version, as dpkg knows both; sorted by name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Names of packages after which a machine is rebooted although it does not ask for it, sorted. */
  readonly rebootAfter: readonly string[];
  readonly workersAtOnce: number;
}
