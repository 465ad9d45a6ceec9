/*
 * The content of a message as RCS Business Messaging takes it (v1, phones.agentMessages). What a member may hold is in its
 * reference; members that are not set are absent.
 */

interface RbmFile {
  fileUrl: string
  thumbnailUrl?: string
  forceRefresh?: boolean
}

interface RbmUploadedFile {
  fileName: string
  thumbnailName?: string
}

/** A file by its address, or one that is there already. */
export type RbmFileContent = { contentInfo: RbmFile } | { uploadedRbmFile: RbmUploadedFile }

type RbmActionKind =
  | {
      openUrlAction: {
        url: string
        application?: 'BROWSER' | 'WEBVIEW'
        webviewViewMode?: 'FULL' | 'HALF' | 'TALL'
        description?: string
      }
    }
  | { dialAction: { phoneNumber: string } }
  | { viewLocationAction: { latLong: { latitude: number; longitude: number }; label?: string } | { query: string } }
  | { shareLocationAction: Record<string, never> }
  | { createCalendarEventAction: { startTime: string; endTime: string; title: string; description?: string } }
  | {
      composeAction:
        | { composeTextMessageAction: { phoneNumber: string; text: string } }
        | { composeRecordingMessageAction: { phoneNumber: string; type: 'AUDIO' | 'VIDEO' } }
    }

/** An action that a suggestion takes on the phone. */
export type RbmAction = { text: string; postbackData: string; fallbackUrl?: string } & RbmActionKind

export type RbmSuggestion = { reply: { text: string; postbackData: string } } | { action: RbmAction }

export interface RbmCard {
  title?: string
  description?: string
  media?: { height: 'SHORT' | 'MEDIUM' | 'TALL'; contentDescription?: string } & RbmFileContent
  suggestions?: RbmSuggestion[]
}

type RbmBody =
  | { text: string }
  | RbmFileContent
  | {
      richCard: {
        standaloneCard: {
          cardOrientation: 'VERTICAL' | 'HORIZONTAL'
          thumbnailImageAlignment?: 'LEFT' | 'RIGHT'
          cardContent: RbmCard
        }
      }
    }
  | { richCard: { carouselCard: { cardWidth: 'SMALL' | 'MEDIUM'; cardContents: RbmCard[] } } }

/** `contentMessage`. */
export type RbmContent = RbmBody & { suggestions?: RbmSuggestion[]; persistent?: true }
