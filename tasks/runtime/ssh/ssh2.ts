// The one place that imports ssh2. It accepts any host key unless told otherwise, so connection.ts always tells it.
import ssh2 from 'ssh2';

export type {
  AnyAuthMethod,
  BaseAgent as SshAgent,
  AuthHandlerMiddleware,
  ClientChannel,
  Client as SshClient,
  ConnectConfig,
  ParsedKey,
  SFTPWrapper,
  ServerHostKeyAlgorithm,
} from 'ssh2';

export const { Client, createAgent } = ssh2;
export const { parseKey } = ssh2.utils;
