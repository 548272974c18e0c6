/** Id of an operation of the service, as in its OpenAPI document. @minLength 1 */
export type OperationId = string;

/** Id of a requirement, such as LIST-2. @minLength 1 */
export type RequirementId = string;

/** A whole number, 0 or more. @asType integer @minimum 0 */
export type Count = number;

/** A time in milliseconds. @minimum 0 */
export type Milliseconds = number;
