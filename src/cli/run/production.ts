import { BlockList, isIP } from 'node:net';

/** Words that no production host carries in its name, each as a whole and with any number behind it. */
const TRIAL_WORDS =
  /^(?:test|tests|testing|tst|dev|devel|develop|development|stage|stg|qa|sandbox|sbx|uat|preview|local|localhost)\d*$/;
/** Words that are telling even within a longer one. */
const TRIAL_PARTS = /staging|sandbox/;
/** Top-level names that are nobody's on the public network (RFC 2606, RFC 6762). */
const TRIAL_DOMAINS = /(?:^|\.)(?:test|local|localhost|example|invalid)$/;

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether an address looks like production: its host is public, and nothing in its name says that it is for trials
 * (staging, test, dev, qa, sandbox, local).
 *
 * @param baseUrl an http or https URL
 */
export function looksLikeProduction(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family !== 0) return !PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6');
  const isTrial =
    TRIAL_DOMAINS.test(host) || TRIAL_PARTS.test(host) || host.split(/[.-]/).some((word) => TRIAL_WORDS.test(word));
  return !isTrial;
}
