/** Where files are looked for unless an import says otherwise. */
export const DEFAULT_DROP_FOLDER = '{id} - {name}'

/**
 * The folder of an import below its drop place: the template with its placeholders filled. A name that holds slashes
 * leads nowhere else. Undefined when the result is outside the place: the parts alone do not show it.
 */
export function resolveDropFolder({ id, name }: { id: number; name: string }, template: string): string | undefined {
  const plain = name.replaceAll(/[/\\]/g, '_').replace(/^\.\.$/, '__')
  const folder = template
    .replaceAll('\\', '/')
    .replaceAll('{id}', String(id))
    .replaceAll('{name}', () => plain)
  return folder.startsWith('/') || folder.split('/').includes('..') ? undefined : folder
}
