/** Where the service is: an origin to connect to, and the path (ending in `/v1`) that all requests begin with. */
export interface Address {
  readonly origin: string;
  readonly basePath: string;
  readonly baseUrl: string;
  /** What curl must be told to reach it, beside the URL. */
  readonly curlOptions: readonly string[];
}

/** @param baseUrl an http or https URL that ends in `/v1`, with or without a trailing slash */
export function addressOf(baseUrl: string, curlOptions: readonly string[] = []): Address {
  const url = new URL(baseUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, basePath, baseUrl: `${url.origin}${basePath}`, curlOptions };
}
