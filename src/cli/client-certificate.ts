import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { UsageError } from './errors.ts';
import { quoted } from './quoted.ts';
import { readFileOf } from './readable-file.ts';

/** The files of a client certificate, as far as they were given. */
export interface ClientCertificate {
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/**
 * Checks that `--cert` and `--key` name a certificate and the private key that belongs to it.
 * @throws UsageError
 */
export function readClientCertificate(cert: string | undefined, key: string | undefined): ClientCertificate {
  if (cert === undefined) {
    if (key === undefined) return { certFile: undefined, keyFile: undefined };
    throw new UsageError('option-conflict', '--key: a private key needs its certificate; give it with --cert FILE');
  }
  const certificate = certificateIn('--cert', cert);
  const privateKey = key === undefined ? privateKeyIn('--cert', cert) : privateKeyIn('--key', key);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError(
      'value-invalid',
      `${key === undefined ? '--cert' : '--key'}: the private key in ${quoted(key ?? cert)} does not belong to the certificate in ${quoted(cert)}; give the two that belong together`,
    );
  }
  return { certFile: cert, keyFile: key };
}

/** The first certificate of a file in PEM. @throws UsageError */
export function certificateIn(option: string, path: string): X509Certificate {
  const text = readFileOf(option, path);
  try {
    return new X509Certificate(text);
  } catch {
    throw new UsageError(
      'value-invalid',
      `${option}: the file ${quoted(path)} holds no certificate in PEM; name one that begins with -----BEGIN CERTIFICATE-----`,
    );
  }
}

function privateKeyIn(option: string, path: string): KeyObject {
  const text = readFileOf(option, path);
  const wrong = (what: string): UsageError =>
    new UsageError('value-invalid', `${option}: the file ${quoted(path)} ${what}`);
  if (!text.includes('PRIVATE KEY-----')) {
    throw wrong(
      option === '--cert'
        ? 'holds no private key beside the certificate; give it with --key FILE'
        : 'holds no private key in PEM; name one that begins with -----BEGIN PRIVATE KEY-----',
    );
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw wrong('holds a private key that cannot be read; if it has a passphrase, take that off (openssl pkey)');
  }
}
