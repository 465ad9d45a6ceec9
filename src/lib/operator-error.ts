/** An error of the operator's making: its message says what to change, and is shown without a stack. */
export class OperatorError extends Error {}
