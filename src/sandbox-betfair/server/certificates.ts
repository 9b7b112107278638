/** The sandbox's own certificate authority, made at its first start, and a server's certificate that it signs at each start. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import forge from 'node-forge';

/** What a TLS server needs, and the file by which its clients trust it; all as PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
  /** The authority's certificate as a file. */
  readonly authorityFile: string;
}

interface Authority {
  readonly key: string;
  readonly certificate: string;
}

/** The names that clients reach the sandbox by, Betfair's own among them: bots are redirected without a change. */
const NAMES = [
  'localhost',
  '*.betfair.com',
  '*.betfair.es',
  '*.betfair.it',
  '*.betfair.ro',
  '*.betfair.se',
  '*.betfair.com.au',
];
const ADDRESSES = ['127.0.0.1', '::1'];
const DAY_MS = 24 * 3_600_000;
const AUTHORITY_DAYS = 3_650;
const SERVER_DAYS = 800;
const KEY_BITS = 2_048;

/**
 * Reads the authority of a directory, or makes it where there is none, and signs a certificate for a server. `now` is ms UTC.
 * The authority's key is written for its owner alone.
 */
export function serverCertificate(directory: string, now: number): ServerCertificate {
  const files = { key: join(directory, 'betfair-ca.key'), certificate: join(directory, 'betfair-ca.crt') };
  const authority = existsSync(files.certificate) ? readAuthority(files) : makeAuthority(files, now);
  const { key, certificate } = signed(authority, now);
  return { key, certificate, authority: authority.certificate, authorityFile: files.certificate };
}

function readAuthority(files: Authority): Authority {
  return { key: readFileSync(files.key, 'utf8'), certificate: readFileSync(files.certificate, 'utf8') };
}

function makeAuthority(files: Authority, now: number): Authority {
  const key = newKey();
  const certificate = blank(key, { now, days: AUTHORITY_DAYS, serial: '01' });
  const name = [{ name: 'commonName', value: 'oddsmith sandbox authority' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  const authority = { key, certificate: forge.pki.certificateToPem(certificate) };
  mkdirSync(dirname(files.key), { recursive: true });
  writeFileSync(files.key, authority.key, { mode: 0o600 });
  writeFileSync(files.certificate, authority.certificate);
  return authority;
}

function signed(authority: Authority, now: number): Authority {
  const key = newKey();
  const issuer = forge.pki.certificateFromPem(authority.certificate);
  // A serial that no other certificate of the authority has: they are signed at different times.
  const certificate = blank(key, {
    now,
    days: SERVER_DAYS,
    serial: `02${Math.floor(now).toString(16).padStart(14, '0')}`,
  });
  certificate.setSubject([{ name: 'commonName', value: 'localhost' }]);
  certificate.setIssuer(issuer.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [...NAMES.map((value) => ({ type: 2, value })), ...ADDRESSES.map((ip) => ({ type: 7, ip }))],
    },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(authority.key), forge.md.sha256.create());
  return { key, certificate: forge.pki.certificateToPem(certificate) };
}

function blank(
  key: string,
  { now, days, serial }: { readonly now: number; readonly days: number; readonly serial: string },
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  certificate.publicKey = forge.pki.publicKeyFromPem(String(publicKey));
  certificate.serialNumber = serial;
  // A client whose clock is a day behind trusts it all the same.
  certificate.validity.notBefore = new Date(now - DAY_MS);
  certificate.validity.notAfter = new Date(now + days * DAY_MS);
  return certificate;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: KEY_BITS });
  return String(privateKey.export({ type: 'pkcs1', format: 'pem' }));
}
