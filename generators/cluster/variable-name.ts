/** The name of a machine as a part of a variable's name; a check keeps machines apart whose names would be one here. */
export const variableName = (machine: string): string => machine.replaceAll('-', '_').replaceAll('.', '__');
