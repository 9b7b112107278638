/** TLS before a server on this machine, under a certificate that signs itself: nobody trusts it who was not told to. */

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { onTestFinished } from 'vitest';

export interface TlsFront {
  /** Host and port, under the name that the certificate is of. */
  readonly host: string;
}

export async function openTlsFront(behind: string): Promise<TlsFront> {
  const { hostname, port } = new URL(behind);
  const server = createServer({ key: KEY, cert: CERTIFICATE, ALPNProtocols: ['http/1.1'] }, (inner) => {
    const outer = connect(Number(port), hostname);
    inner.on('error', () => inner.destroy()).on('close', () => outer.destroy());
    outer.on('error', () => outer.destroy()).on('close', () => inner.destroy());
    inner.pipe(outer).pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { host: `localhost:${typeof address === 'object' ? address?.port : 0}` };
}

/** The file for `NODE_EXTRA_CA_CERTS`. */
export function trustedCertificate(directory: string): string {
  const file = join(directory, 'exchange.pem');
  writeFileSync(file, CERTIFICATE);
  return file;
}

/** Of localhost and 127.0.0.1 alone, for a hundred years from 2026; made by `openssl req -x509`. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUVioqRdWLxYsBJH1tWGOghHmjk3IwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzE1MDA0N1oYDzIxMjYxMTAz
MTUwMDQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATT1ZwWqiIl4SJMQhztHiKP6VQKODnyzgXkJJRS+vizd/j6iLdGd4M/
yJENPeyEb7O1hg4VXpgLKfutF5TtWlXxo28wbTAdBgNVHQ4EFgQUSC2D7zIfMwEi
5EohprOvd2Mq3dgwHwYDVR0jBBgwFoAUSC2D7zIfMwEi5EohprOvd2Mq3dgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgK54fSv3Ea4AgyNxW4mqeEO+LeJz6qzfT32UTwVdOh2oCIQCX
oDijd9m3bgnel6pZ4tNQmMPz8B0n/u/xS8JWTc7nMQ==
-----END CERTIFICATE-----
`;

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWRDHtjVMW4PDrbV7
5DXol2jfyhf/UhVXibbihbvL8imhRANCAATT1ZwWqiIl4SJMQhztHiKP6VQKODny
zgXkJJRS+vizd/j6iLdGd4M/yJENPeyEb7O1hg4VXpgLKfutF5TtWlXx
-----END PRIVATE KEY-----
`;
