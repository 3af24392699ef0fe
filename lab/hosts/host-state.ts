/** `off`: powered off, disk kept; `frozen`: does not run, but is there; `missing`: never started, or taken away. */
export type HostState = 'running' | 'off' | 'frozen' | 'missing';
