import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Certificates for the tests alone, made once with openssl and good until 2126: an authority (its key was thrown
 * away), and from it `service` for localhost, the loopback and shop.example, `elsewhere` for another host, `expired`,
 * and `client`.
 */
export function certificateFile(name: string): string {
  return fileURLToPath(new URL(`./certificates.fixture/${name}.pem`, import.meta.url));
}

export const authority = certificateFile('authority');

/** A certificate and its key, as a server takes them. */
export function keyPairOf(name: string): { readonly cert: string; readonly key: string } {
  return {
    cert: readFileSync(certificateFile(name), 'utf8'),
    key: readFileSync(certificateFile(`${name}.key`), 'utf8'),
  };
}
