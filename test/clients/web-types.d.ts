/** A type of browsers that the generated client names, for programs that are compiled with those of Node alone. */
type BodyInit = NonNullable<RequestInit['body']>
