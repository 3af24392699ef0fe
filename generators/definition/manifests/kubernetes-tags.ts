import type { ScalarTag, Tags } from 'yaml';

/** A whole number as kubectl takes it: a zero first means octal, `_` parts digits. */
export const wholeNumber = /^(?!_)[-+]?(?:0_*b[01_]*[01]|0_*o[0-7_]*[0-7]|0_*x[\da-f_]*[\da-f]|[\d_]*\d)_*$/i;

const fraction = /^(?!_|\._)[-+]?(?:\.[\d_]*\d|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?[\d_]*\d_*)?$/;

/** Scalars as the YAML reader of kubectl takes them, which is one of YAML 1.1 with octal numbers of 1.2, and without its times. */
export const kubernetesTags: Tags = [
  plainScalar('bool', /^(?:y|yes|on|true|Y|Yes|YES|On|ON|True|TRUE)$/, () => true),
  plainScalar('bool', /^(?:n|no|off|false|N|No|NO|Off|OFF|False|FALSE)$/, () => false),
  plainScalar('int', wholeNumber, whole),
  plainScalar('float', fraction, (text) => Number(text.replaceAll('_', ''))),
  { tag: 'tag:yaml.org,2002:binary', resolve: bytesAsText },
];

function plainScalar(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, identify: () => false, test, resolve };
}

function whole(text: string): number {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(text.replaceAll('_', '').toLowerCase()) ?? [];
  const value =
    /^0[0-7]/.test(digits) && /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return sign === '-' ? -value : value;
}

/** Bytes, as the text that they are in JSON. */
function bytesAsText(text: string, onError: (message: string) => void): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
  } catch {
    onError('no base64');
    return '';
  }
}
