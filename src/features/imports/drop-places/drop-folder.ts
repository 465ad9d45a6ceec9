/** Folder that files are pulled from unless an import defines another. */
export const DEFAULT_DROP_FOLDER = '{id} - {name}'

/**
 * The folder of an import below its drop place: the template with its placeholders filled. A name that holds slashes
 * leads nowhere else. Undefined when the result is outside the place: the parts alone do not show it.
 */
export function resolveDropFolder({ id, name }: { id: number; name: string }, template: string): string | undefined {
  const safeName = name.replaceAll(/[/\\]/g, '_').replace(/^\.\.$/, '__')
  const folder = template
    .replaceAll('\\', '/')
    .replaceAll('{id}', String(id))
    .replaceAll('{name}', () => safeName)
  return folder.startsWith('/') || folder.split('/').includes('..') ? undefined : folder
}
