/** What holds where a definition of kind Fleet says nothing. */
export const fleetDefaults = {
  /** The port that Ansible Automation Platform gives to Receptor. */
  port: 27_199,
  authority: 1,
} as const;
