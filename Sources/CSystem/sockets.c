#include "CSystem.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// An abstract address is a NUL followed by the bytes of the name. The name disappears with its last
// socket, and there is no file for it.
static socklen_t abstract_address(struct sockaddr_un *address, const char *name) {
  size_t length = strlen(name);
  if (length == 0 || length > sizeof address->sun_path - 1) return 0;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path + 1, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int failed(int fd) {
  int saved = errno;
  close(fd);
  errno = saved;
  return -1;
}

// Whether the other side of a socket belongs to the same user. Every user of the machine can
// connect to an abstract name.
static int is_own_user(int fd) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int csystem_listen(const char *name) {
  struct sockaddr_un address;
  socklen_t size = abstract_address(&address, name);
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)&address, size) < 0 || listen(fd, 16) < 0) return failed(fd);
  return fd;
}

int csystem_accept(int listening) {
  while (1) {
    int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd < 0 || is_own_user(fd)) return fd;
    close(fd);
  }
}

int csystem_connect(const char *name) {
  struct sockaddr_un address;
  socklen_t size = abstract_address(&address, name);
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  while (connect(fd, (struct sockaddr *)&address, size) < 0)
    if (errno != EINTR) return failed(fd);
  if (is_own_user(fd)) return fd;
  errno = EACCES;
  return failed(fd);
}

int csystem_send_descriptors(int socket, int first, int second) {
  int fds[2] = {first, second};
  char byte = 0;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof fds)];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fds);
  memcpy(CMSG_DATA(header), fds, sizeof fds);
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1 ? 0 : -1;
}

int csystem_receive_descriptors(int socket, int *first, int *second) {
  int fds[2];
  char byte;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof fds)];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received <= 0) return (int)received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL) return 2;
  if (header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof fds)) {
    errno = EPROTO;
    return -1;
  }
  memcpy(fds, CMSG_DATA(header), sizeof fds);
  *first = fds[0];
  *second = fds[1];
  return 1;
}
