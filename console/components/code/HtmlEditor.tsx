import { Button } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Media } from '../media/calls.ts'
import { picturesAmong, pictureTag } from '../media/pictures.ts'
import { mediaTexts } from '../media/texts.ts'
import { UploadList } from '../media/UploadList.tsx'
import { useUploads } from '../media/use-uploads.ts'
import { CodeEditor, type CodeEditorProps, type CodeHold } from './CodeEditor.tsx'
import type { Spot } from './spots.ts'

const MediaPicker = lazy(() => import('../media/MediaPicker.tsx').then((module) => ({ default: module.MediaPicker })))

type Props = Omit<CodeEditorProps, 'language' | 'tools' | 'hold' | 'onFiles'>

function insert(spot: Spot | undefined, media: Media): void {
  const { text, words } = pictureTag(media)
  // The cursor is where its words go: what it shows is written at once.
  spot?.insert(text, words)
}

/** The HTML of a message: pictures are inserted at the cursor, chosen among the media, dropped or pasted. */
export function HtmlEditor(props: Props) {
  const t = useText(mediaTexts)
  const hold = useRef<CodeHold>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const uploads = useUploads()
  const take = (files: readonly File[], spotOf: () => Spot): void => {
    const pictures = picturesAmong(files)
    if (pictures.length < files.length) tell(t('picturesOnly'))
    const spots = pictures.map(spotOf)
    uploads.take(pictures, (media, index) => insert(spots[index], media))
  }
  const tools = (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconPhoto size={14} aria-hidden />}
      onClick={() => setSpot(hold.current?.cursor() ?? null)}
    >
      {t('insertPicture')}
    </Button>
  )
  return (
    <>
      <CodeEditor {...props} language="html" hold={hold} {...(!props.readOnly && { tools, onFiles: take })} />
      <UploadList uploads={uploads} />
      {spot && (
        <Suspense fallback={null}>
          <MediaPicker
            onClose={() => setSpot(null)}
            onChoose={(media) => {
              setSpot(null)
              insert(spot, media)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
