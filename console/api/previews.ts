/*
 * The service makes few previews and saved messages at a time. Previews of this page go one by one, and after what is being saved.
 */

let pendingSaveCount = 0
let runningPreview: AbortController | null = null
const waitingPreviews: (() => void)[] = []

const wakePreviews = (): void => {
  for (const wake of waitingPreviews.splice(0)) wake()
}

/**
 * Requests a preview once no other one is under way and nothing is being saved. One that is given up for a save is requested again after it.
 * Rejects as `request` does, and with the reason of the signal when it aborts.
 */
export async function requestPreview<T>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    while (pendingSaveCount > 0 || runningPreview) await new Promise<void>((wake) => waitingPreviews.push(wake))
    if (signal.aborted) {
      wakePreviews()
      throw signal.reason
    }
    const preview = new AbortController()
    runningPreview = preview
    try {
      return await request(AbortSignal.any([signal, preview.signal]))
    } catch (error) {
      if (!preview.signal.aborted || signal.aborted) throw error
    } finally {
      runningPreview = null
      wakePreviews()
    }
  }
}

/** Saves, instead of any preview that is under way. Resolves as `save` does. */
export async function saveBeforePreviews<T>(save: () => Promise<T>): Promise<T> {
  pendingSaveCount++
  runningPreview?.abort()
  try {
    return await save()
  } finally {
    pendingSaveCount--
    wakePreviews()
  }
}
