/** An error of the operator's making: its message says what to change, a fault a line, and is shown without a stack. */
export class OperatorError extends Error {}
