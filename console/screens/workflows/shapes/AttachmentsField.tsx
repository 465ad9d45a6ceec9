import { Button, FileButton, TextInput } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { useState } from 'react'
import { LineList } from '../../../components/form/LineList.tsx'
import { MediaButton } from '../../../components/media/MediaButton.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { workflowFieldTexts } from '../fields/texts.ts'
import styles from '../WorkflowsPage.module.css'
import {
  type AttachmentFormValue,
  base64ByteLength,
  encodeBase64Bytes,
  fitsAttachmentLimit,
  MAX_GIVEN_VALUE_CHARS,
} from './attached.ts'
import { literalShapeTexts } from './texts.ts'
import { type LiteralShapeProps, listLiteralElements } from './value.ts'

const NEW_ATTACHMENT: AttachmentFormValue = { name: '', mime: '', data: { type: 'url', value: '' } }
const EXAMPLE_ADDRESS = 'https://'
const EXAMPLE_MIME_TYPE = 'application/pdf'
const DEFAULT_MIME_TYPE = 'application/octet-stream'

/** One file: by an address, that of a file of the media, or with its content. */
function AttachmentFields({
  attachment,
  isReadOnly,
  onChange,
  onFile,
}: {
  attachment: AttachmentFormValue
  isReadOnly: boolean
  onChange(attachment: AttachmentFormValue): void
  onFile(file: File): void
}) {
  const t = useTranslator(literalShapeTexts)
  const format = useLocaleFormat()
  const { name, mime, data } = attachment
  const isEmbedded = data?.type === 'base64'
  return (
    <div className={styles['fields']}>
      <TextInput
        size="xs"
        label={t('attachmentAddress')}
        placeholder={EXAMPLE_ADDRESS}
        readOnly={isReadOnly || isEmbedded}
        value={
          isEmbedded ? t('attachedFile', { size: format.bytes(base64ByteLength(data.value)) }) : (data?.value ?? '')
        }
        onChange={({ currentTarget }) => onChange({ ...attachment, data: { type: 'url', value: currentTarget.value } })}
      />
      {!isReadOnly && (
        <div className={styles['choices']}>
          <MediaButton
            isAny
            label={t('fromMedia')}
            onChoose={(media) =>
              onChange({ name: media.name, mime: media.type, data: { type: 'url', value: media.address } })
            }
          />
          <FileButton onChange={(file) => file && onFile(file)}>
            {(props) => (
              <Button {...props} size="compact-xs" variant="default" leftSection={<IconFile size={14} aria-hidden />}>
                {t('fromFile')}
              </Button>
            )}
          </FileButton>
        </div>
      )}
      <div className={styles['pair']}>
        <TextInput
          size="xs"
          label={t('attachmentName')}
          readOnly={isReadOnly}
          value={name ?? ''}
          onChange={({ currentTarget }) => onChange({ ...attachment, name: currentTarget.value })}
        />
        <TextInput
          size="xs"
          label={t('attachmentType')}
          placeholder={EXAMPLE_MIME_TYPE}
          readOnly={isReadOnly}
          value={mime ?? ''}
          onChange={({ currentTarget }) => onChange({ ...attachment, mime: currentTarget.value })}
        />
      </div>
    </div>
  )
}

/** Files that go with an email. */
export function AttachmentsField({ value, isReadOnly, onChange }: LiteralShapeProps) {
  const [t, fieldT] = [useTranslator(literalShapeTexts), useTranslator(workflowFieldTexts)]
  const format = useLocaleFormat()
  const [isTooLarge, setTooLarge] = useState(false)
  const attachments = listLiteralElements<AttachmentFormValue>(value)
  const attachFile = async (place: number, file: File): Promise<void> => {
    const isWithinLimit = file.size <= MAX_GIVEN_VALUE_CHARS
    const data = {
      type: 'base64',
      value: isWithinLimit ? encodeBase64Bytes(new Uint8Array(await file.arrayBuffer())) : '',
    } as const
    const nextAttachments = attachments.with(place, { name: file.name, mime: file.type || DEFAULT_MIME_TYPE, data })
    const isFitting = isWithinLimit && fitsAttachmentLimit(nextAttachments)
    setTooLarge(!isFitting)
    if (isFitting) onChange(nextAttachments)
  }
  return (
    <>
      <p className={styles['why']}>{t('attachmentsWhy')}</p>
      <LineList
        values={attachments}
        onChange={(next) => onChange(next.length === 0 ? undefined : next)}
        addLabel={t('addAttachment')}
        fresh={() => NEW_ATTACHMENT}
        removeLabel={({ name }) => fieldT('removeOf', { name: name ?? '' })}
        isReadOnly={isReadOnly}
        className={styles['stacked']}
      >
        {(attachment, place) => (
          <AttachmentFields
            attachment={attachment}
            isReadOnly={isReadOnly}
            onChange={(next) => onChange(attachments.with(place, next))}
            onFile={(file) => void attachFile(place, file)}
          />
        )}
      </LineList>
      {isTooLarge && (
        <p className={styles['fault']} role="alert">
          {t('fileTooLarge', { size: format.bytes((MAX_GIVEN_VALUE_CHARS * 3) / 4) })}
        </p>
      )}
    </>
  )
}
