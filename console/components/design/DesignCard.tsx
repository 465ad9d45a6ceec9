import { useIntersection } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { requestPreview } from '../../api/previews.ts'
import { MessageFrame } from '../MessageFrame.tsx'
import styles from './DesignCard.module.css'
import type { ApiDesign } from './model/shapes.ts'

const THUMBNAIL_WIDTH_PX = 640
const THUMBNAIL_HEIGHT_PX = 800

interface Props {
  /** Cache key of the picture. */
  name: readonly unknown[]
  title: string
  load(signal: AbortSignal): Promise<ApiDesign>
  /** Some rows, not a whole message. */
  isRows?: boolean
}

/** A design as a small picture, made when it comes into view. */
export function DesignThumbnail({ name, title, load, isRows = false }: Props) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' })
  const [wasSeen, setSeen] = useState(false)
  if (entry?.isIntersecting && !wasSeen) setSeen(true)
  const pictureQuery = useQuery({
    queryKey: ['designs', 'picture', ...name],
    queryFn: ({ signal }) =>
      requestPreview(signal, async (previewSignal) =>
        apiClient.renderDesign({ body: { design: await load(previewSignal) }, signal: previewSignal }),
      ),
    enabled: wasSeen,
    staleTime: 300_000,
  })
  return (
    <div ref={ref} className={styles['picture']} data-rows={isRows || undefined} aria-hidden inert>
      {pictureQuery.data && (
        <div className={styles['scaled']}>
          <MessageFrame
            html={pictureQuery.data.html}
            title={title}
            width={THUMBNAIL_WIDTH_PX}
            height={THUMBNAIL_HEIGHT_PX}
          />
        </div>
      )}
    </div>
  )
}
