import manifest from '../package.json' with { type: 'json' }

/** Version of the program, and of the interface it speaks. */
export const PROGRAM_VERSION = manifest.version
export const INTERFACE_VERSION = '8.1.0'
