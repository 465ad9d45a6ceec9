/** Where something leads, or by which channel of a device it is shown: as it is written, or by a name the application has for it. */
export interface PushTarget {
  type: 'literal' | 'route' | 'channel'
  value: string
}

export interface PushButton {
  title: string
  redirection: PushTarget | null
}

/** What a push message shows; every text is a template. */
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
  /** Of the notification; a UUID. */
  versionId: string
  /** Whose devices get it; a UUID. */
  application: string
  urgent: boolean
}
