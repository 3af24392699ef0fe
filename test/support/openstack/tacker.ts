import { readFile } from 'node:fs/promises';
import { waitFor } from './programs.ts';
import type { ControlPlane } from './control-plane.ts';
import { urlOf } from './sites.ts';

/** Tacker's two APIs of the life cycle: their paths and the header that asks for them. */
export type TackerApi = 'v1' | 'v2';

export type Json = Readonly<Record<string, unknown>>;

/** What an operation became: its record, and whether it went well. */
export interface TackerOperation {
  readonly state: string;
  readonly record: Json;
}

/** Tacker, asked as its administrator. */
export interface Tacker {
  /** A GET of a path. */
  readonly get: (path: string, api?: TackerApi) => Promise<Json>;
  /** Makes a package of a file usable. */
  readonly onboard: (csar: string) => Promise<void>;
  /** Makes an instance of the VNFD; its id. */
  readonly create: (api: TackerApi, vnfd: string, name: string) => Promise<string>;
  /** Has an instance operated on and waits for the end. */
  readonly operate: (
    api: TackerApi,
    instance: string,
    operation: string,
    request: object,
  ) => Promise<TackerOperation>;
  readonly instance: (api: TackerApi, id: string) => Promise<Json>;
  readonly remove: (api: TackerApi, id: string) => Promise<void>;
}

const versions: Readonly<Record<TackerApi, string>> = { v1: '1.3.0', v2: '2.0.0' };

export function tackerOf({ sites, token }: ControlPlane): Tacker {
  const ask = asker(urlOf(sites, 'tacker'), token);
  const get: Tacker['get'] = async (path, api) => (await ask('GET', path, { api })).body;
  const at = (api: TackerApi, id: string): string => `/vnflcm/${api}/vnf_instances/${id}`;
  return {
    get,
    onboard: async (csar) => {
      const { body } = await ask('POST', '/vnfpkgm/v1/vnf_packages', { json: {} });
      const path = `/vnfpkgm/v1/vnf_packages/${String(body['id'])}`;
      await ask('PUT', `${path}/package_content`, { zip: await readFile(csar) });
      await waitFor('a package', async () => (await get(path))['onboardingState'] === 'ONBOARDED');
    },
    create: async (api, vnfdId, vnfInstanceName) => {
      const json = { vnfdId, vnfInstanceName };
      const { body } = await ask('POST', `/vnflcm/${api}/vnf_instances`, { api, json });
      return String(body['id']);
    },
    operate: async (api, instance, operation, json) => {
      const { location } = await ask('POST', `${at(api, instance)}/${operation}`, { api, json });
      // Version 1 writes a host of its own before it.
      const path = location.slice(location.indexOf('/vnflcm/'));
      let record: Json = {};
      await waitFor(
        `${operation} by ${api}`,
        async () => {
          record = await get(path, api);
          return ['COMPLETED', 'FAILED_TEMP', 'FAILED'].includes(String(record['operationState']));
        },
        400,
      );
      return { state: String(record['operationState']), record };
    },
    instance: (api, id) => get(at(api, id), api),
    remove: async (api, id) => {
      await ask('DELETE', at(api, id), { api });
    },
  };
}

interface Asked {
  readonly api?: TackerApi | undefined;
  readonly json?: object;
  readonly zip?: Buffer;
}

interface Answered {
  readonly body: Json;
  readonly location: string;
}

const asker =
  (url: string, token: string) =>
  async (method: string, path: string, { api, json, zip }: Asked): Promise<Answered> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        'X-Auth-Token': token,
        Accept: 'application/json',
        ...(api ? { Version: versions[api] } : {}),
        ...(zip ? { 'Content-Type': 'application/zip' } : json ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(zip ? { body: new Uint8Array(zip) } : json ? { body: JSON.stringify(json) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Tacker: ${method} ${path}: ${answer.status} ${text}`);
    const isJson = text.startsWith('{');
    return {
      body: isJson ? (JSON.parse(text) as Json) : {},
      location: answer.headers.get('Location') ?? '',
    };
  };
