/** Says what makes a text dangerous in any file that a machine reads; undefined: nothing. */
export function unsafeText(text: string): string | undefined {
  if (/\{[{%#]/.test(text)) return '{{, {% and {# begin a template, which Ansible would evaluate';
  if (/[\r\n\u0085\u2028\u2029]/.test(text)) return 'this text has more than one line';
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(text)
    ? 'this text holds a character that cannot be seen, or does not exist'
    : undefined;
}
