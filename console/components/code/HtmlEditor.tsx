import { Button, Group } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { InsertFieldButton } from '../expression/InsertFieldButton.tsx'
import type { ApiMedia } from '../media/calls.ts'
import { filterPictureFiles, renderPictureTag } from '../media/pictures.ts'
import { mediaTexts } from '../media/texts.ts'
import { UploadList } from '../media/UploadList.tsx'
import { useMediaUploads } from '../media/use-uploads.ts'
import { CodeEditor } from './CodeEditor.tsx'
import type { CodeEditorHandle, CodeEditorProps } from './editor-props.ts'
import type { InsertionPoint } from './spots.ts'

const LazyMediaPicker = lazy(() =>
  import('../media/MediaPicker.tsx').then((module) => ({ default: module.MediaPicker })),
)

type Props = Omit<CodeEditorProps, 'language' | 'tools' | 'hold' | 'onFiles'>

function insertMedia(spot: InsertionPoint | undefined, media: ApiMedia): void {
  const { text, words } = renderPictureTag(media)
  // The cursor is where its words go: what it shows is written at once.
  spot?.insert(text, words)
}

/** The HTML of a message: fields and pictures are inserted at the cursor, chosen among the media, dropped or pasted. */
export function HtmlEditor(props: Props) {
  const t = useTranslator(mediaTexts)
  const editorHandle = useRef<CodeEditorHandle>(null)
  const [insertionPoint, setInsertionPoint] = useState<InsertionPoint | null>(null)
  const uploads = useMediaUploads()
  const uploadPictures = (files: readonly File[], spotOf: () => InsertionPoint): void => {
    const pictures = filterPictureFiles(files)
    if (pictures.length < files.length) showToast(t('picturesOnly'))
    const insertionPoints = pictures.map(spotOf)
    uploads.take(pictures, (media, index) => insertMedia(insertionPoints[index], media))
  }
  const insertField = (template: string): void => editorHandle.current?.cursor().insert(template, template.length)
  const tools = (
    <Group gap={4}>
      <InsertFieldButton into={props.label} onInsert={insertField} />
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPhoto size={14} aria-hidden />}
        onClick={() => setInsertionPoint(editorHandle.current?.cursor() ?? null)}
      >
        {t('insertPicture')}
      </Button>
    </Group>
  )
  return (
    <>
      <CodeEditor
        {...props}
        language="html"
        hold={editorHandle}
        {...(!props.readOnly && { tools, onFiles: uploadPictures })}
      />
      <UploadList uploads={uploads} />
      {insertionPoint && (
        <Suspense fallback={null}>
          <LazyMediaPicker
            onClose={() => setInsertionPoint(null)}
            onChoose={(media) => {
              setInsertionPoint(null)
              insertMedia(insertionPoint, media)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
