export { describe, type LabDescription } from './describe.ts';
export { down } from './down.ts';
export { exec, openLab, type Lab } from './lab.ts';
export { announce, preflight, type Change, type LabOptions, type Preflight } from './preflight.ts';
export { prepare } from './prepare.ts';
export { defaultShape, type LabShape } from './shape.ts';
export { sshArgv } from './ssh.ts';
export { labs, status, type LabStatus } from './status.ts';
export { up } from './up.ts';
