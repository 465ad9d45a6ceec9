import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import cards from '../layout/Cards.module.css'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { type ApiMedia, useMediaList } from './calls.ts'
import styles from './Media.module.css'
import { mediaTexts } from './texts.ts'

/** The smallest version of a picture, or an icon for a document. Its name is shown next to it. */
export function MediaThumbnail({ media: { type, address, sizes } }: { media: ApiMedia }) {
  if (type === 'application/pdf') return <IconFileTypePdf size={40} stroke={1.2} aria-hidden />
  return <img src={sizes[0]?.address ?? address} alt="" loading="lazy" />
}

/** Name, dimensions and size of a file. */
export function MediaCaption({ media: { name, width, height, octets } }: { media: ApiMedia }) {
  const t = useTranslator(mediaTexts)
  const format = useLocaleFormat()
  const sizeText =
    width !== null && height !== null ? `${t('sizeOf', { width: String(width), height: String(height) })} · ` : ''
  return (
    <span className={`${cards['words']} ${styles['words']}`}>
      <bdi title={name}>{name}</bdi>
      <small>
        {sizeText}
        {format.bytes(octets)}
      </small>
    </span>
  )
}

interface Props {
  q: string
  /** Pictures that messages can show, alone. */
  isPicture?: boolean
  /** In place of a list that has nothing at all. */
  empty: ReactNode
  onChoose(media: ApiMedia): void
}

/** The media of the account as pictures, each a button. */
export function MediaGrid({ q, isPicture = false, empty, onChoose }: Props) {
  const t = useTranslator(mediaTexts)
  const mediaQuery = useMediaList({ q, isPicture })
  if (mediaQuery.error) return <ProblemAlert error={mediaQuery.error} onRetry={() => void mediaQuery.refetch()} />
  if (!mediaQuery.data) return <LoadingSkeleton />
  const allMedia = mediaQuery.data.pages.flatMap(({ items }) => items)
  const shownMedia = isPicture ? allMedia.filter(({ type }) => type !== 'image/svg+xml') : allMedia
  if (shownMedia.length === 0 && !mediaQuery.hasNextPage) return q === '' ? empty : <p>{t('noMatch')}</p>
  return (
    <>
      <ul className={`${cards['cards']} ${styles['grid']}`}>
        {shownMedia.map((media) => (
          <li key={media.id}>
            <button type="button" className={cards['card']} onClick={() => onChoose(media)}>
              <span className={styles['thumbnail']}>
                <MediaThumbnail media={media} />
              </span>
              <MediaCaption media={media} />
            </button>
          </li>
        ))}
      </ul>
      {mediaQuery.hasNextPage && (
        <div>
          <Button
            size="xs"
            variant="default"
            loading={mediaQuery.isFetchingNextPage}
            onClick={() => void mediaQuery.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}
