/** Keys whose value is a secret source; what stands there in plain text is never shown. */
export const secretKeys: ReadonlySet<string> = new Set([
  'password',
  'becomePassword',
  'passphrase',
  'secretKey',
  'webhookUrl',
  'signingKey',
  'accessToken',
  'accessKeyId',
  'secretAccessKey',
  'decryptWith',
]);
