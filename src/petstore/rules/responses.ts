import { type Judgement, violates, violatesByStatus } from '../../engine/violation.ts';
import { codingNamed, codingsOf } from '../../http/content-encoding.ts';
import { memberOf, type PetReply } from '../reply.ts';
import { onRefusal, onResponse, type PetRule } from './rule.ts';

/** The version of the interface, as a segment of the base address. */
const VERSION_SEGMENT = 'v1';

/** Part 1: every response with a body is sent as application/json. */
export const isSentAsJson: PetRule = onResponse((reply, { body }) => {
  const { mediaType } = reply;
  if (mediaType === 'application/json') return 'holds';
  if (body.length === 0) return 'irrelevant';
  const message = mediaType === undefined ? 'the response has no Content-Type' : `the response is sent as ${mediaType}`;
  const violation = violates(reply, 'media-type', message, 'application/json', mediaType ?? 'no Content-Type');
  return { ...violation, about: 'form' };
});

/** Part 1: every body is strict JSON in UTF-8, coded as its header says. */
export const isStrictJson: PetRule = onResponse((reply, { status, body, encodingFault }) => {
  const { json, mediaType } = reply;
  if (json.kind === 'json' && encodingFault === undefined) return 'holds';
  if (json.kind === 'unread') return 'irrelevant';
  // A body that does not even claim to be JSON, or a refusal without one, is judged by other requirements.
  if (body.length === 0 ? status >= 400 : mediaType !== 'application/json') return 'irrelevant';
  const { code, sentence } = json.kind === 'json' ? { code: 'not-json', sentence: encodingFault ?? '' } : json;
  return { ...violates(reply, code, sentence, 'strict JSON in UTF-8', code), about: 'form' };
});

/** Part 1: a body is coded only as the request allows, where it says what it allows. */
export const isCodedAsAsked: PetRule = onResponse((reply) => {
  const codings = codingsOf(reply.header('content-encoding'));
  const asked = reply.call.request.headers?.find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1];
  if (codings.length === 0 || asked === undefined) return 'irrelevant';
  const accepted = new Map(asked.split(',').map((part) => codingAndWeight(part)));
  const coding = codings.find((name) => (accepted.get(name) ?? accepted.get('*') ?? 0) === 0);
  if (coding === undefined) return 'holds';
  const message = `the body is coded with ${coding} although the request says Accept-Encoding: ${asked}`;
  return violates(reply, 'coding', message, `one of ${asked}, or none`, coding);
});

/** A coding of Accept-Encoding, and its weight. */
function codingAndWeight(part: string): readonly [coding: string, weight: number] {
  const [coding = '', parameter = ''] = part.split(';').map((text) => text.trim().toLowerCase());
  return [codingNamed(coding), parameter.startsWith('q=') ? Number(parameter.slice(2)) : 1];
}

/** Parts 4 and 7: a 5xx is never the answer. */
export const isNoServerError: PetRule = (reply) => {
  const { call, status } = reply;
  if (status === undefined) return 'irrelevant';
  if (status < 500) return 'holds';
  const message = `answers ${status} to ${call.description}`;
  return violatesByStatus(reply, 'server-error', message, [], 'a documented status');
};

/** Part 4: every request is answered by one whole response in time. */
export const isAnsweredInFull: PetRule = (reply, model) => {
  const { answer } = reply.exchange;
  if (answer.kind === 'response') return 'holds';
  // What need not be read may be refused by closing the connection: the answer is lost with what was not read.
  if (answer.code === 'reset' && model.heads.whyUnread(reply) !== undefined) return 'irrelevant';
  // The suite itself stopped reading.
  if (answer.code === 'body-too-large') return 'irrelevant';
  return model.heads.proven(
    violates(reply, answer.code, answer.sentence, 'one whole HTTP response', answer.code),
    reply,
  );
};

/** Part 5: the API key as the bearer token gives access. */
export const givesAccess: PetRule = (reply) => {
  const { call, status } = reply;
  if (!call.credential.valid || status === undefined) return 'irrelevant';
  if (status !== 401) return 'holds';
  return violatesByStatus(reply, 'key-refused', `${call.operation} refuses the right key`, [], 'access');
};

/** Part 7: every error response has the Error shape. */
export const hasErrorShape: PetRule = onRefusal((reply, { body }) => {
  const { json, status, mediaType } = reply;
  const expected = 'code, message and status';
  if (json.kind === 'unread') return 'irrelevant';
  if (json.kind !== 'json') {
    // What claims to be JSON and is not is another requirement's concern.
    if (body.length > 0 && mediaType === 'application/json') return 'irrelevant';
    const actual = body.length === 0 ? 'no body' : 'no JSON';
    return violates(reply, 'no-error', `the ${status} has no Error: ${json.sentence}`, expected, actual);
  }
  const [fault] = reply.schemaFaults;
  if (fault === undefined) return 'holds';
  const message = `the Error of the ${status} is wrong: ${fault.message}`;
  return violates(reply, 'error-shape', message, expected, fault.found);
});

/** Part 7: the status in an Error is the HTTP status. */
export const errorHasTheHttpStatus: PetRule = onRefusal((reply) => {
  const { json, status } = reply;
  const inBody = json.kind === 'json' ? memberOf(json.value, 'status') : undefined;
  if (typeof inBody !== 'number') return 'irrelevant';
  if (inBody === status) return 'holds';
  const message = `the Error says ${inBody} and the response is a ${status}`;
  return violates(reply, 'error-status', message, `${status}`, `${inBody}`);
});

/**
 * Part 9: the operation is found under the base address: it is not unknown there, or moved elsewhere.
 *
 * @param hasSucceeded whether it has been found before: what is unknown is then something else
 */
export function isFoundUnder(basePath: string, hasSucceeded: boolean): (reply: PetReply) => Judgement {
  return (reply) => {
    const { status, call } = reply;
    if (status === undefined || (status >= 500 && status !== 501)) return 'irrelevant';
    if (status === 404 && hasSucceeded) return 'irrelevant';
    const isElsewhere = (status >= 300 && status < 400) || [404, 405, 501].includes(status);
    if (!isElsewhere) return 'holds';
    const message = `${call.operation} is not found under ${basePath}`;
    return violatesByStatus(reply, 'not-found', message, [], 'the operation');
  };
}

/** Part 9: the operation is not moved to a base address of another version. */
export const staysUnderItsVersion: PetRule = (reply) => {
  const { status = 0, call } = reply;
  const location = status >= 300 && status < 400 ? reply.header('location') : undefined;
  if (location === undefined) return reply.isSuccess ? 'holds' : 'irrelevant';
  if (location.split(/[/?#]/).includes(VERSION_SEGMENT)) return 'holds';
  const message = `${call.operation} is sent to ${location}, which is not under /${VERSION_SEGMENT}`;
  return violatesByStatus(reply, 'moved', message, [], `the operation under /${VERSION_SEGMENT}`);
};

/** With --strict, an open point must be answered with a status that the contract documents. */
export function isDocumented(reply: PetReply): Judgement {
  const { call, documentedStatuses, status = 0 } = reply;
  if (documentedStatuses.includes(status)) return 'holds';
  const message = `answers ${status} to ${call.description}, which is not documented for ${call.operation} (--strict)`;
  return violatesByStatus(reply, 'strict', message, documentedStatuses, `one of ${documentedStatuses.join(', ')}`);
}
