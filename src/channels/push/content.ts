/** A link target, or the channel that a device shows the push in: a literal value, or a name that the application defines. */
export interface PushTarget {
  type: 'literal' | 'route' | 'channel'
  value: string
}

export interface PushButton {
  title: string
  redirection: PushTarget | null
}

/** Displayed content of a push message; every text is a template. */
export interface PushTemplateContent {
  title: string | null
  body: string | null
  icon: string | null
  thumbnail: string | null
  image: string | null
  buttons: readonly PushButton[]
  redirection: PushTarget | null
  channel: PushTarget | null
}

/** The same as a version keeps it. */
export interface PushVersionContent extends PushTemplateContent {
  /** Version id of the notification; a UUID. */
  versionId: string
  /** The application whose devices receive it; a UUID. */
  application: string
  urgent: boolean
}
