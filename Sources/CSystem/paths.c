// Opens files by paths of which every component is checked, from the root on, as OpenSSH does with
// files that it trusts. Other users cannot change a component after it was checked, so the opened
// file is the one that the path has led to.
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { proc_file_system = 0x9fa0, nobody = 65534, most_links = 40, most_tries = 16, most_verdicts = 16 };

/// A number that no user has.
static const uid_t no_user = (uid_t)-1;

// -- Groups

static int is_trusted(uid_t user, uid_t owner) { return user == 0 || user == geteuid() || (owner != no_user && user == owner); }

/// Finds a field of a line of /etc/passwd or /etc/group, and terminates it with a NUL.
static char *next_field(char **rest) {
  char *field = *rest;
  if (field == NULL) return "";
  char *colon = strchr(field, ':');
  if (colon != NULL) *colon++ = 0;
  *rest = colon;
  return field;
}

static int number_of(const char *text, unsigned *number) {
  char *end;
  if (*text < '0' || *text > '9') return 0;
  *number = (unsigned)strtoul(text, &end, 10);
  return *end == 0;
}

/// Whether the user with that name is trusted. A name that no user has is not trusted.
static int is_trusted_name(const char *name, uid_t owner) {
  FILE *users = fopen("/etc/passwd", "re");
  if (users == NULL) return 0;
  char *line = NULL;
  size_t capacity = 0;
  int is = 0;
  while (!is && getline(&line, &capacity, users) > 0) {
    char *rest = line;
    unsigned number;
    const char *known = next_field(&rest);
    next_field(&rest);
    is = strcmp(known, name) == 0 && number_of(next_field(&rest), &number) && is_trusted(number, owner);
  }
  free(line);
  fclose(users);
  return is;
}

/// Whether a user who is not trusted has this group as primary group; -1 if that cannot be
/// determined.
static int is_first_of_others(gid_t group, uid_t owner) {
  FILE *users = fopen("/etc/passwd", "re");
  // A container may have no such file, and no other users.
  if (users == NULL) return errno == ENOENT ? 0 : -1;
  char *line = NULL;
  size_t capacity = 0;
  int is = 0;
  while (!is && getline(&line, &capacity, users) > 0) {
    char *rest = line;
    unsigned number, first;
    next_field(&rest);
    next_field(&rest);
    const char *user = next_field(&rest);
    is = number_of(next_field(&rest), &first) && first == group && number_of(user, &number) && !is_trusted(number, owner);
  }
  free(line);
  fclose(users);
  return is;
}

/// Returns 1 if only trusted users are listed as members of a group, 0 if other users are, and -1
/// if there is no such group or the members cannot be determined.
static int has_trusted_members(gid_t group, uid_t owner) {
  FILE *groups = fopen("/etc/group", "re");
  if (groups == NULL) return -1;
  char *line = NULL;
  size_t capacity = 0;
  int verdict = -1;
  while (verdict != 0 && getline(&line, &capacity, groups) > 0) {
    line[strcspn(line, "\n")] = 0;
    char *rest = line;
    unsigned number;
    next_field(&rest);
    next_field(&rest);
    if (!number_of(next_field(&rest), &number) || number != group) continue;
    verdict = 1;
    char *place = NULL;
    for (char *name = strtok_r(next_field(&rest), ",", &place); name != NULL; name = strtok_r(NULL, ",", &place))
      if (!is_trusted_name(name, owner)) verdict = 0;
  }
  free(line);
  fclose(groups);
  return verdict;
}

/// Whether a group has only trusted members, like a user's private group. A group that is not
/// listed is assumed to be the private group of the user who has the same number.
static int is_private(gid_t group, uid_t owner) {
  int members = has_trusted_members(group, owner);
  if (members == 0 || is_first_of_others(group, owner) != 0) return 0;
  return members > 0 || group == geteuid() || (owner != no_user && group == owner);
}

/// Like `is_private`, but caches the result: a process may later give up the right to read
/// /etc/passwd and /etc/group.
static int is_private_group(gid_t group, uid_t owner) {
  static struct {
    gid_t group;
    uid_t owner, user;
    int is_private;
  } verdicts[most_verdicts];
  static int count;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  int found = -1;
  for (int i = 0; i < count && found < 0; i++)
    if (verdicts[i].group == group && verdicts[i].owner == owner && verdicts[i].user == geteuid()) found = verdicts[i].is_private;
  if (found < 0) {
    found = is_private(group, owner);
    if (count < most_verdicts) {
      verdicts[count].group = group;
      verdicts[count].owner = owner;
      verdicts[count].user = geteuid();
      verdicts[count++].is_private = found;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

// -- The walk

struct walk {
  int trust;
  /// The user who is trusted in addition to root and this user: the owner of the file.
  uid_t owner;
  /// The folder that the walk has reached, and its path.
  int folder;
  char text[PATH_MAX];
  /// The part of the path after the folder that the walk has reached.
  char rest[PATH_MAX];
  /// Whether the folder has the sticky bit and other users may write it. They can create files in
  /// such a folder, but cannot remove or rename each other's files.
  int is_shared;
  struct csystem_path_problem *problem;
};

static int fail(struct walk *walk, int kind, int number, const char *name) {
  walk->problem->kind = kind;
  walk->problem->number = number;
  const char *separator = name == NULL || (walk->text[0] == '/' && walk->text[1] == 0) ? "" : "/";
  snprintf(walk->problem->path, sizeof walk->problem->path, "%s%s%s", walk->text, separator, name == NULL ? "" : name);
  return -1;
}

static int fail_with_errno(struct walk *walk, const char *name) { return fail(walk, CSYSTEM_PATH_FAILED, errno, name); }

/// Whether users who are not trusted may write a file or folder with this status: 0 if not,
/// otherwise the kind of problem.
static int writers(const struct walk *walk, const struct stat *status) {
  if (status->st_mode & S_IWOTH) return CSYSTEM_PATH_WRITABLE_BY_ALL;
  if (status->st_mode & S_IWGRP && !is_private_group(status->st_gid, walk->owner)) return CSYSTEM_PATH_WRITABLE_BY_GROUP;
  return 0;
}

/// Checks the folder that the walk has reached, before a name is looked up in it.
static int check_folder(struct walk *walk, int is_last) {
  struct stat status;
  if (fstat(walk->folder, &status) < 0) return fail_with_errno(walk, NULL);
  // In a user namespace, all unknown owners appear as `nobody`. One of them is the system's root
  // user, who owns the outermost folders.
  int is_unknown = status.st_uid == nobody && !is_last;
  if (!is_trusted(status.st_uid, walk->owner) && !is_unknown) return fail(walk, CSYSTEM_PATH_FOREIGN_FOLDER, 0, NULL);
  int kind = writers(walk, &status);
  walk->is_shared = kind != 0;
  if (kind == 0) return 0;
  int must_be_own = is_last && walk->trust & CSYSTEM_PATH_OWN_FOLDER;
  return status.st_mode & S_ISVTX && !must_be_own ? 0 : fail(walk, kind, 0, NULL);
}

static void enter(struct walk *walk, int folder, const char *name) {
  close(walk->folder);
  walk->folder = folder;
  size_t length = strlen(walk->text);
  // The path fits, because paths that are too long were refused before.
  if (name != NULL) snprintf(walk->text + length, sizeof walk->text - length, "%s%s", length > 1 ? "/" : "", name);
}

static int start(struct walk *walk) {
  int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return fail_with_errno(walk, NULL);
  if (walk->folder >= 0) close(walk->folder);
  walk->folder = root;
  strcpy(walk->text, "/");
  return 0;
}

/// Replaces a link's name by its target.
static int follow(struct walk *walk, int link, const char *name) {
  char target[PATH_MAX];
  ssize_t count = readlinkat(link, "", target, sizeof target - 1);
  if (count < 0) return fail_with_errno(walk, name);
  target[count] = 0;
  size_t length = strlen(walk->rest);
  if (count == 0 || (size_t)count + 1 + length >= sizeof walk->rest) {
    errno = count == 0 ? ENOENT : ENAMETOOLONG;
    return fail_with_errno(walk, name);
  }
  memmove(walk->rest + count + 1, walk->rest, length + 1);
  memcpy(walk->rest, target, (size_t)count);
  walk->rest[count] = '/';
  // If no name follows the link, its target need not be a folder.
  if (length == 0) walk->rest[count] = 0;
  return target[0] == '/' ? start(walk) : 0;
}

/// Whether the folder that the walk has reached is in /proc. A link there leads to an open file,
/// whatever the text of the link is.
static int is_in_proc(const struct walk *walk) {
  struct statfs system;
  return fstatfs(walk->folder, &system) == 0 && system.f_type == proc_file_system;
}

/// Opens the file that was checked. Fails with ESTALE if it was replaced meanwhile.
static int open_known(struct walk *walk, const char *name, int known, const struct stat *status, int flags) {
  if (walk->trust & CSYSTEM_PATH_CHECK_FILE && S_ISREG(status->st_mode)) {
    if (!is_trusted(status->st_uid, walk->owner)) return fail(walk, CSYSTEM_PATH_FOREIGN_FILE, 0, name);
    int kind = writers(walk, status);
    if (kind != 0) return fail(walk, kind, 0, name);
  }
  if (flags & O_EXCL) {
    errno = EEXIST;
    return fail_with_errno(walk, name);
  }
  int file;
  if (flags & O_PATH) {
    file = fcntl(known, F_DUPFD_CLOEXEC, 0);
  } else {
    do file = openat(walk->folder, name, (flags & ~O_CREAT) | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    while (file < 0 && errno == EINTR);
  }
  if (file < 0) {
    if (errno == ENOENT) errno = ESTALE;
    return fail_with_errno(walk, name);
  }
  struct stat opened;
  if (fstat(file, &opened) == 0 && opened.st_dev == status->st_dev && opened.st_ino == status->st_ino) {
    if (walk->owner == no_user || opened.st_uid == status->st_uid) return file;
  }
  close(file);
  errno = ESTALE;
  return fail_with_errno(walk, name);
}

static int open_new(struct walk *walk, const char *name, int flags, unsigned mode) {
  if (!(flags & O_CREAT)) {
    errno = ENOENT;
    return fail_with_errno(walk, name);
  }
  int file;
  do file = openat(walk->folder, name, flags | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, mode);
  while (file < 0 && errno == EINTR);
  if (file >= 0) return file;
  if (errno == EEXIST && !(flags & O_EXCL)) errno = ESTALE;
  return fail_with_errno(walk, name);
}

/// Creates a missing folder, and syncs its name to disk.
static int make_folder(struct walk *walk, const char *name) {
  if (mkdirat(walk->folder, name, 0700) < 0) return errno == EEXIST ? 0 : -1;
  int readable = openat(walk->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A user who may create files in a folder need not have the right to read it, and some file
  // systems cannot sync a folder by itself.
  if (readable < 0) return errno == EACCES ? 0 : -1;
  int result = fsync(readable) == 0 || errno == EINVAL ? 0 : -1;
  int number = errno;
  close(readable);
  errno = number;
  return result;
}

/// Takes the next name of the path. Returns whether there was one, and whether it is the last.
static int next_name(struct walk *walk, char *name, int *is_last) {
  size_t begin = strspn(walk->rest, "/"), length = strcspn(walk->rest + begin, "/");
  if (length == 0) return 0;
  if (length > NAME_MAX) length = NAME_MAX + 1;
  memcpy(name, walk->rest + begin, length);
  name[length] = 0;
  // A name with a slash after it is a folder, into which the path leads.
  *is_last = walk->rest[begin + length] == 0;
  memmove(walk->rest, walk->rest + begin + length, strlen(walk->rest + begin + length) + 1);
  return 1;
}

static int walk_on(struct walk *walk, int flags, unsigned mode, char *last_name) {
  char name[NAME_MAX + 2];
  int is_last, links = 0;
  while (next_name(walk, name, &is_last)) {
    if (strlen(name) > NAME_MAX) {
      errno = ENAMETOOLONG;
      return fail_with_errno(walk, NULL);
    }
    int is_parent = strcmp(name, "..") == 0;
    if (strcmp(name, ".") == 0) continue;
    if (check_folder(walk, is_last && !is_parent) < 0) return -1;
    if (is_last && !is_parent && walk->trust & CSYSTEM_PATH_FOLDER_ONLY) {
      strcpy(last_name, name);
      return fcntl(walk->folder, F_DUPFD_CLOEXEC, 0);
    }
    int entry = openat(walk->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (entry < 0 && errno == ENOENT && !is_last && walk->trust & CSYSTEM_PATH_MAKE_FOLDERS) {
      if (make_folder(walk, name) < 0) return fail_with_errno(walk, name);
      entry = openat(walk->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    }
    if (entry < 0 && errno == ENOENT && is_last) return open_new(walk, name, flags, mode);
    if (entry < 0) return fail_with_errno(walk, name);
    struct stat status;
    int result = fstat(entry, &status) < 0 ? fail_with_errno(walk, name) : 0;
    int is_link = result == 0 && S_ISLNK(status.st_mode), is_folder = result == 0 && S_ISDIR(status.st_mode);
    // In a shared folder, another user may have created the file as a trap. The owner of a link
    // decides where it leads, so links must belong to a trusted user in every folder.
    int is_unknown = status.st_uid == nobody && !is_last;
    int is_foreign = walk->is_shared && !is_parent ? !is_trusted(status.st_uid, no_user)
                                                   : is_link && !is_unknown && !is_trusted(status.st_uid, walk->owner);
    if (result == 0 && is_foreign)
      result = fail(walk, is_link ? CSYSTEM_PATH_FOREIGN_LINK : is_folder ? CSYSTEM_PATH_FOREIGN_FOLDER : CSYSTEM_PATH_FOREIGN_FILE, 0, name);
    if (result == 0 && is_link && is_last && flags & O_EXCL) {
      errno = EEXIST;
      result = fail_with_errno(walk, name);
    } else if (result == 0 && is_link && is_in_proc(walk) && is_last) {
      // The link leads to a file that this process has already opened.
      result = openat(walk->folder, name, (flags & ~(O_CREAT | O_NOFOLLOW)) | O_NOCTTY | O_CLOEXEC);
      if (result < 0) fail_with_errno(walk, name);
      close(entry);
      return result;
    } else if (result == 0 && is_link && (links++ >= most_links || (is_last && flags & O_NOFOLLOW))) {
      errno = ELOOP;
      result = fail_with_errno(walk, name);
    } else if (result == 0 && is_link) {
      result = follow(walk, entry, name);
    } else if (result == 0 && is_folder && (!is_last || is_parent)) {
      enter(walk, entry, name);
      continue;
    } else if (result == 0 && !is_last) {
      errno = ENOTDIR;
      result = fail_with_errno(walk, name);
    } else if (result == 0) {
      result = open_known(walk, name, entry, &status, flags);
      close(entry);
      return result;
    }
    close(entry);
    if (result < 0) return -1;
  }
  errno = EISDIR;
  return fail_with_errno(walk, NULL);
}

/// Walks along the path from its start to its end once.
static int walk_once(
    const char *path, int flags, unsigned mode, int trust, uid_t owner, char *last_name, struct csystem_path_problem *problem) {
  struct walk walk = {.trust = trust, .owner = owner, .folder = -1, .problem = problem};
  char folder[PATH_MAX] = "";
  problem->kind = 0;
  snprintf(walk.text, sizeof walk.text, "%s", path);
  if (path[0] == 0) {
    errno = ENOENT;
    return fail_with_errno(&walk, NULL);
  }
  if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL) return fail_with_errno(&walk, NULL);
  int length = snprintf(walk.rest, sizeof walk.rest, "%s/%s", folder, path);
  if (length < 0 || (size_t)length >= sizeof walk.rest) {
    errno = ENAMETOOLONG;
    return fail_with_errno(&walk, NULL);
  }
  if (start(&walk) < 0) return -1;
  int result = walk_on(&walk, flags, mode, last_name);
  close(walk.folder);
  return result;
}

/// The owner who is trusted in addition to root and this user; no_user if there is none.
static uid_t trusted_owner(const char *path, int flags, int trust) {
  char folder[PATH_MAX];
  struct stat status;
  if (trust & CSYSTEM_PATH_TRUST_FOLDER_OWNER && flags & O_EXCL) {
    int length = snprintf(folder, sizeof folder, "%s", path);
    char *slash = length < 0 || (size_t)length >= sizeof folder ? NULL : strrchr(folder, '/');
    if (slash == NULL) return no_user;
    slash[slash == folder] = 0;
    path = folder;
  } else if (!(trust & CSYSTEM_PATH_TRUST_OWNER)) {
    return no_user;
  }
  return stat(path, &status) < 0 || is_trusted(status.st_uid, no_user) ? no_user : status.st_uid;
}

int csystem_open_trusted(
    const char *path, int flags, unsigned mode, int trust, char *last_name, struct csystem_path_problem *problem) {
  uid_t owner = no_user;
  if (trust & CSYSTEM_PATH_LOOK_ONLY) flags |= O_PATH;
  for (int tries = 0; tries < most_tries; tries++) {
    int result = walk_once(path, flags, mode, trust, owner, last_name, problem);
    if (result >= 0) {
      struct stat status;
      if (owner == no_user || trust & (CSYSTEM_PATH_FOLDER_ONLY | CSYSTEM_PATH_TRUST_FOLDER_OWNER)) return result;
      if (fstat(result, &status) == 0 && status.st_uid == owner) return result;
      // The opened file is another one than that whose owner was trusted.
      close(result);
      owner = no_user;
      continue;
    }
    // Something was created or removed between two checks.
    if (problem->kind == CSYSTEM_PATH_FAILED && problem->number == ESTALE) continue;
    if (problem->kind == CSYSTEM_PATH_FAILED || owner != no_user) return -1;
    owner = trusted_owner(path, flags, trust);
    if (owner == no_user) return -1;
  }
  return -1;
}
