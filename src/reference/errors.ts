/** Ends a request with an Error (part 7). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const invalidBody = (message: string): ApiError => new ApiError(400, 'invalid_body', message);
export const invalidParameter = (message: string): ApiError => new ApiError(400, 'invalid_parameter', message);
export const petNotFound = (id: string): ApiError =>
  new ApiError(404, 'pet_not_found', `No animal has the identifier ${JSON.stringify(id.slice(0, 40))}.`);
export const unsupportedMediaType = (message: string): ApiError => new ApiError(415, 'unsupported_media_type', message);
export const unauthorized = (message: string): ApiError =>
  new ApiError(401, 'unauthorized', message, { 'WWW-Authenticate': 'Bearer realm="pets"' });
