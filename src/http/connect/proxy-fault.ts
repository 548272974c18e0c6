/** The proxy on the way to the service could not be used; the message is a sentence and holds no credentials. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
}
